import { sampleContext } from '../../flow/sample-context.ts'
import { isObject, type JsonObject, type JsonPath, valueAt } from '../document/json.ts'

/** The required inputs missing from the sample. */
export function missingIn(input: JsonObject, requiredInputs: readonly string[]): readonly string[] {
  return requiredInputs.filter((path) => valueAt(input, partsOf(path)) === undefined)
}

/** The input with everything the flow needs; what is there stays. */
export function withNeeded(input: JsonObject, requiredInputs: readonly string[]): JsonObject {
  const missing = missingIn(input, requiredInputs)
  // A sample is made of JSON alone.
  const { content, ...sample } = sampleContext(missing) as JsonObject
  const wantsContent = content !== undefined && missing.some((path) => partsOf(path)[0] === 'content')
  return laidOver(wantsContent ? { content, ...sample } : sample, input)
}

/** Both, and where both have something, the one on top. */
function laidOver(below: JsonObject, top: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...top }
  for (const [key, value] of Object.entries(below)) {
    const above = top[key]
    if (above === undefined) merged[key] = value
    else if (isObject(above) && isObject(value)) merged[key] = laidOver(value, above)
  }
  return merged
}

function partsOf(path: string): JsonPath {
  return path.replace(/^context\./, '').split('.')
}
