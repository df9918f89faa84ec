const printable = '[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]*'

/** Text that people read in one line: no line breaks or other control characters, nothing that turns the text around. */
export const oneLineOrEmpty = {
  pattern: `^${printable}$`,
  'x-means': 'must be one line of text, without line breaks and control characters',
}

/** The same, and not blank: for names and labels. */
export const oneLine = {
  pattern: `^(?!\\s*$)${printable}$`,
  'x-means': 'must be one line of text, without line breaks and control characters, and not blank',
}
