/** How a model is asked, as the person typed it: what is empty is left to the model. */
export interface AskSettings {
  readonly system: string
  readonly temperature: string
  readonly maxTokens: string
  readonly json: boolean
  readonly fallback: 'none' | 'any' | 'these'
  /** Names with commas between them, for `these`. */
  readonly fallbackModels: string
  /** An answer that was given before may be given again. */
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
