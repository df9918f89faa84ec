/**
 * Compiles code for a schema at its first use, and once per process, because a process may create several servers with the same routes.
 */
export function cachePerSchema<Compiled>(
  compile: (schema: object) => Compiled,
): (schema: object) => Compiled {
  const cache = new WeakMap<object, Compiled>()
  return (schema) => {
    let compiled = cache.get(schema)
    if (compiled === undefined) {
      compiled = compile(schema)
      cache.set(schema, compiled)
    }
    return compiled
  }
}
