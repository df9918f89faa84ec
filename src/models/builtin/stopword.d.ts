/** The library has no types of its own: each of its exports that we use is a list of words. */
declare module 'stopword' {
  const lists: Readonly<Record<string, unknown>>
  export default lists
}
