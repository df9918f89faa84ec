/** The outcome of one check of `tutti doctor`. `advice` says how to fix it. */
export interface Finding {
  readonly outcome: 'good' | 'note' | 'bad'
  readonly text: string
  readonly advice?: string
}

export const good = (text: string): Finding => ({ outcome: 'good', text })
export const note = (text: string, advice: string): Finding => ({ outcome: 'note', text, advice })
export const bad = (text: string, advice: string): Finding => ({ outcome: 'bad', text, advice })
