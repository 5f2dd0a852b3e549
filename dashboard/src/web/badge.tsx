/** The meaning of a state. The style gives each a color and a shape. */
export type Tone = (typeof tones)[number];
export const tones = ['good', 'pending', 'attention', 'ended'] as const;

export interface BadgeProps {
  readonly tone: Tone;
  readonly text: string;
}

/** A state in a row or among facts. */
export function Badge({ tone, text }: BadgeProps) {
  return <span class={`badge ${tone}`}>{text}</span>;
}
