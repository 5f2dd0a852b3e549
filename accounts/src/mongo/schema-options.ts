/** Only `jobs-delete indexes` creates indexes. */
export const schemaOptions = {
  autoIndex: false,
  autoCreate: false,
  versionKey: false,
  id: false,
  strict: 'throw',
} as const;

/** Creating the indexes and opening the adapter may both register the models of one connection. */
export const modelOptions = { overwriteModels: true } as const;

export const required = <Type>(type: Type) => ({ type, required: true }) as const;
