/** One entry of an archive, unpacked but not looked at. */
export interface ArchiveEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly content: Uint8Array
}
