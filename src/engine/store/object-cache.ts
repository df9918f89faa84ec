/** The outputs that were read last: the status of an execution is read again and again, and an object never changes. */
export interface ObjectCache {
  get(id: string): string | undefined
  add(id: string, output: string): void
}

const maxLength = 32 * 1024 * 1024

export function createObjectCache(): ObjectCache {
  /** Oldest use first. */
  const outputs = new Map<string, string>()
  let length = 0

  function remove(id: string): void {
    length -= outputs.get(id)?.length ?? 0
    outputs.delete(id)
  }

  return {
    get(id) {
      const output = outputs.get(id)
      if (output === undefined) return undefined
      outputs.delete(id)
      outputs.set(id, output)
      return output
    },
    add(id, output) {
      remove(id)
      outputs.set(id, output)
      length += output.length
      for (const oldest of outputs.keys()) {
        if (length <= maxLength) return
        remove(oldest)
      }
    },
  }
}
