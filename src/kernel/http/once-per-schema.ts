/**
 * Code that is made from a schema is made when it is first needed, and once: a process may open several servers with the same
 * routes.
 */
export function oncePerSchema<Made>(make: (schema: object) => Made): (schema: object) => Made {
  const known = new WeakMap<object, Made>()
  return (schema) => {
    let made = known.get(schema)
    if (made === undefined) {
      made = make(schema)
      known.set(schema, made)
    }
    return made
  }
}
