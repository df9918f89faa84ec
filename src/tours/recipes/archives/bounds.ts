/** What an archive may hold. The largest tour there can be takes a quarter of it. */
export const archiveBounds = {
  /** As it is sent. */
  packedBytes: 4 * 1024 * 1024,
  /** All files together, unpacked. */
  unpackedBytes: 12 * 1024 * 1024,
  fileBytes: 6 * 1024 * 1024,
  entries: 200,
  nameLength: 255,
  depth: 8,
} as const
