/** What one check found. `advice` says what to do about it. */
export interface Finding {
  readonly verdict: 'good' | 'note' | 'bad'
  readonly text: string
  readonly advice?: string
}

export const good = (text: string): Finding => ({ verdict: 'good', text })
export const note = (text: string, advice: string): Finding => ({ verdict: 'note', text, advice })
export const bad = (text: string, advice: string): Finding => ({ verdict: 'bad', text, advice })
