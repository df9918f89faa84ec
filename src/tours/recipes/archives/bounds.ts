/** The limits of an archive. The largest possible tour needs a quarter of them. */
export const archiveBounds = {
  /** The compressed file. */
  packedBytes: 4 * 1024 * 1024,
  /** All unpacked files together. */
  unpackedBytes: 12 * 1024 * 1024,
  fileBytes: 6 * 1024 * 1024,
  entries: 200,
  nameLength: 255,
  depth: 8,
} as const
