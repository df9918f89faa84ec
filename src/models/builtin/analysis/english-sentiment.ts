import model from 'wink-eng-lite-web-model'
import winkNLP from 'wink-nlp'

/* Imported at the first use: reading the model takes a moment. */

const nlp = winkNLP(model, ['sbd', 'negation', 'sentiment'])

/** The library knows its functions by themselves, and takes no other that calls them. */
const sentiment: (this: void, span: number[]) => number = Reflect.get(nlp.its, 'sentiment')

/** Longer ones are addresses and noise, on which the tokenizer would take for ever. */
const longWord = /\S{64,}/g

/** How a sentence sounds, from -1 to 1; words with a negation before them count the other way. */
export function scoreEnglish(sentence: string): number {
  const score = Number(nlp.readDoc(sentence.replaceAll(longWord, ' ')).out(sentiment))
  return Math.max(-1, Math.min(1, Number.isFinite(score) ? score : 0))
}
