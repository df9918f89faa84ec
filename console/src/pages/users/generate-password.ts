/** Without letters and digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const groups = 4
const groupLength = 5

/** A strong password that is easy to type: four groups of five, about 116 bits. */
export function generatePassword(): string {
  return Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, randomLetter).join(''),
  ).join('-')
}

function randomLetter(): string {
  // Values beyond the last whole turn of the alphabet would favour its beginning.
  const limit = 256 - (256 % alphabet.length)
  for (;;) {
    const [value = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (value < limit) return alphabet[value % alphabet.length] ?? ''
  }
}
