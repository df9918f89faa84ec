import { type RefObject, useEffect, useRef } from 'react'
import type { EditorState } from '../document/flow-editor.ts'
import { focusable } from './fields/use-focus-wish.ts'
import { isWithin } from './schema/path-text.ts'
import { withinStep } from './within-step.ts'

/** Begins what is said about metadata. */
const about = 'metadata.'

/** Puts the focus into the field that is asked for, or into the nearest one around it. */
export function useAskedFocus(root: RefObject<HTMLElement | null>, { asked, document }: EditorState): void {
  const seen = useRef(0)
  useEffect(() => {
    const form = root.current
    if (asked === null || asked.count === seen.current || form === null) return
    // On a narrow screen the form comes a moment later.
    if (form.getClientRects().length === 0) return
    seen.current = asked.count
    const wanted = withinStep(document.definition.steps, asked.path)
    const field = wanted.startsWith(about)
      ? nearestField(form.querySelector('[data-about]') ?? form, wanted.slice(about.length))
      : nearestField(form, wanted)
    const target = (field ?? form).querySelector<HTMLElement>(focusable)
    target?.scrollIntoView({ block: 'center' })
    target?.focus({ preventScroll: true })
  })
}

function nearestField(form: Element, path: string): HTMLElement | undefined {
  const around = [...form.querySelectorAll<HTMLElement>('[data-path]')].filter((field) =>
    isWithin(path, field.dataset['path'] ?? ''),
  )
  return around.toSorted(
    (one, other) => (other.dataset['path'] ?? '').length - (one.dataset['path'] ?? '').length,
  )[0]
}
