const multiplier = 0x5bd1e995;
const seed = 0x9747b28c;

/**
 * Where Kafka's clients, in any language, put what has this key: by its hash, murmur2
 * (https://kafka.apache.org/documentation/#producerconfigs_partitioner.class). kafkajs does the same with a Long a step.
 */
export function partitionOf(key: string | Buffer, partitions: number): number {
  const bytes = typeof key === 'string' ? Buffer.from(key) : key;
  return (murmur2(bytes) & 0x7fff_ffff) % partitions;
}

/** @returns a number of 32 bits */
function murmur2(key: Buffer): number {
  const { length } = key;
  let hash = seed ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let word = Math.imul(key.readInt32LE(at), multiplier);
    word = Math.imul(word ^ (word >>> 24), multiplier);
    hash = Math.imul(hash, multiplier) ^ word;
  }
  if (at < length) hash = Math.imul(hash ^ key.readUIntLE(at, length - at), multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
