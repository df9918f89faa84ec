import { useState } from 'react'
import { isSameJson, type Json } from '../../document/json.ts'
import type { Writing } from '../schema/typed-text.ts'

/** The text of a field. Typed text stays until the value differs from what it means. */
export function useTyped(
  value: Json | undefined,
  { show, read }: Writing,
  change: (value: Json | undefined) => void,
): { readonly text: string; readonly type: (text: string) => void } {
  const [typed, setTyped] = useState<string>()
  return {
    text: typed !== undefined && isSameJson(read(typed), value) ? typed : show(value),
    type(text) {
      setTyped(text)
      change(read(text))
    },
  }
}
