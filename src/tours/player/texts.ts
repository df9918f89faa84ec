/** The texts of the player in English. `{name}` stands for a value. */
export const englishTexts = {
  next: 'Next',
  back: 'Back',
  done: 'Done',
  skip: 'Skip',
  end: 'End the tour',
  step: 'Step {step} of {total}',
  one_step: 'A tour of one step.',
  steps: 'A tour of {total} steps.',
  unfinished: 'You have not finished this tour.',
  take: 'Take the tour',
  resume: 'Resume',
  decline: 'No, thanks',
  go_on: 'Continue the tour',
  when_done: 'The tour continues when you are done.',
  next_opens: 'Next opens {path}',
  next_elsewhere: 'The next step is on another page: {route}',
  continues_on: 'The tour continues on the page: {route}',
  missing: 'This step belongs to a part of the page that is not here now.',
} as const

export type TextKey = keyof typeof englishTexts
export type Texts = Readonly<Record<TextKey, string>>

export const textKeys = Object.keys(englishTexts) as TextKey[]

/** The longest text of a site. */
export const textBound = 200

/** The first placeholder that stands for no value in this text: the player would show nothing in its place. */
export function unknownPlaceholder(key: TextKey, text: string): string | undefined {
  return text.match(/\{\w+\}/g)?.find((placeholder) => !englishTexts[key].includes(placeholder))
}

/** Languages that are written from right to left. */
const rightToLeft = /^(?:ar|fa|he|ur)\b/

export function isRightToLeft(language: string): boolean {
  return rightToLeft.test(language)
}
