/** An unpacked entry of an archive; its name and content are not validated. */
export interface ArchiveEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly content: Uint8Array
}
