/** What an analyser may be told: how many it finds, or which parameter of the agent it goes by. */
interface AnalyserKind {
  readonly most?: 'optional'
  readonly parameter?: 'optional' | 'required'
}

/** Everything that can be measured on an input. What each finds stands in the README. */
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
