import model from 'wink-eng-lite-web-model'
import winkNLP from 'wink-nlp'

/* Imported at the first use, because loading the model takes time. */

const nlp = winkNLP(model, ['sbd', 'negation', 'sentiment'])

/** The library compares this function by identity, so it cannot be wrapped. */
const sentiment: (this: void, span: number[]) => number = Reflect.get(nlp.its, 'sentiment')

/** Longer words are URLs and noise, on which the tokenizer would take very long. */
const longWord = /\S{64,}/g

/** The sentiment of a sentence from -1 to 1; a negation inverts a word. */
export function scoreEnglish(sentence: string): number {
  const score = Number(nlp.readDoc(sentence.replaceAll(longWord, ' ')).out(sentiment))
  return Math.max(-1, Math.min(1, Number.isFinite(score) ? score : 0))
}
