/** The settings of a request as typed. Empty fields use the defaults of the model. */
export interface AskSettings {
  readonly system: string
  readonly temperature: string
  readonly maxTokens: string
  readonly json: boolean
  readonly fallback: 'none' | 'any' | 'these'
  /** Comma-separated model names, for `these`. */
  readonly fallbackModels: string
  /** The answer may come from the cache. */
  readonly remembered: boolean
}

export const plainSettings: AskSettings = {
  system: '',
  temperature: '',
  maxTokens: '',
  json: false,
  fallback: 'none',
  fallbackModels: '',
  remembered: true,
}
