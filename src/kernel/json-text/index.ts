export { isPlainJson } from './is-plain-json.ts'
export { JsonText, largeText, plainValue } from './json-text.ts'
