/** Names without a namespace are those of the runtime's public library, which calls itself so. */
const publicLibrary = 'library'

/** Reads `namespace` in `host/namespace/model:tag`, of which only the model is always there. */
export function namespaceOf(name: string): string {
  return name.split('/').at(-2) || publicLibrary
}
