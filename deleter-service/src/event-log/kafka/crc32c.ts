/** The polynomial of Castagnoli, reflected (RFC 9260, appendix A). */
const polynomial = 0x82f63b78;

/** By slices of 8: table i has, for each byte, its remainder with i bytes of zeros after it. */
const [t0, t1, t2, t3, t4, t5, t6, t7] = createTables();

/** The checksum of Kafka's record batches. @returns an unsigned number of 32 bits */
export function crc32c(bytes: Buffer, from: number, to: number): number {
  let crc = 0xffffffff;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    crc ^= bytes.readInt32LE(at);
    const next = bytes.readInt32LE(at + 4);
    crc =
      look(t7, crc) ^
      look(t6, crc >>> 8) ^
      look(t5, crc >>> 16) ^
      look(t4, crc >>> 24) ^
      look(t3, next) ^
      look(t2, next >>> 8) ^
      look(t1, next >>> 16) ^
      look(t0, next >>> 24);
  }
  for (; at < to; at++) crc = look(t0, crc ^ bytes.readUInt8(at)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function look(table: Int32Array, value: number): number {
  return table[value & 0xff] as number;
}

type Tables = [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function createTables(): Tables {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256)) as Tables;
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? polynomial : 0);
    tables[0][byte] = remainder;
  }
  for (let slice = 1; slice < 8; slice++) {
    const [before, table] = [tables[slice - 1], tables[slice]] as [Int32Array, Int32Array];
    for (let byte = 0; byte < 256; byte++) {
      const remainder = before[byte] as number;
      table[byte] = look(tables[0], remainder) ^ (remainder >>> 8);
    }
  }
  return tables;
}
