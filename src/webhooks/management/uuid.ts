const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether PostgreSQL accepts the text as a uuid: comparing a column with any other text is an error. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
