/** The options of an analyser: how many results it returns, and the agent parameter it reads. */
interface AnalyserKind {
  readonly most?: 'optional'
  readonly parameter?: 'optional' | 'required'
}

/** All analysers. The README lists the result of each. */
export const analyserKinds = {
  language: {},
  length: {},
  readability: {},
  structure: {},
  quality: {},
  seo: { parameter: 'optional' },
  key_phrases: { most: 'optional' },
  summary: { most: 'optional', parameter: 'optional' },
  sentiment: {},
  links: {},
  markup: {},
  facts: {},
  personal_data: {},
  compliance: {},
  repetition: {},
  meta: {},
  data: {},
  converted: { parameter: 'required' },
} as const satisfies Record<string, AnalyserKind>

export type AnalyserName = keyof typeof analyserKinds

export const analyserNames = Object.keys(analyserKinds) as readonly AnalyserName[]
