/** The namespace of the runtime's public library, whose model names have none. */
const publicLibrary = 'library'

/** The `namespace` in `host/namespace/model:tag`, of which only the model is required. */
export function namespaceOf(name: string): string {
  return name.split('/').at(-2) || publicLibrary
}
