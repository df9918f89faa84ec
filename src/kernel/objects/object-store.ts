/** Stores contents by key. An object is written once and never changed. */
export interface ObjectStore {
  /** Throws `objects_unavailable`. Putting the same object again has no effect. */
  put(key: string, content: Buffer): Promise<void>
  /** Undefined: there is no such object. Throws `objects_unavailable`. */
  get(key: string): Promise<Buffer | undefined>
  /** Throws `objects_unavailable`. Deleting a missing object has no effect. */
  delete(key: string): Promise<void>
}

/** The largest object that is read: above any output of a step, which has at most 8 MiB before it is encrypted. */
export const maxObjectBytes = 64 * 1024 * 1024
