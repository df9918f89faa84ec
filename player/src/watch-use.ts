/**
 * Calls back when the visitor has used an element: clicked it, or entered or chosen something in it. Listens before the
 * page does, so that the step is gone when the page reacts. Returns a function that stops it.
 */
export function watchUse(find: () => Element | null, kind: 'click' | 'input', onUse: () => void): () => void {
  const listening = new AbortController()
  let isEdited = false

  function handle(event: Event): void {
    const element = find()
    if (element === null || !event.composedPath().includes(element)) return
    if (event.type === 'input') isEdited = true
    // Fields send `change`; editable content does not, so that it counts when the visitor leaves it.
    else if (event.type !== 'focusout' || (isEdited && document.hasFocus())) onUse()
  }

  const options = { capture: true, signal: listening.signal }
  // Events inside a frame do not reach the window around it.
  const view = find()?.ownerDocument.defaultView ?? window
  for (const type of kind === 'click' ? ['click'] : ['input', 'change', 'focusout'])
    for (const target of new Set([window, view])) target.addEventListener(type, handle, options)
  return () => listening.abort()
}
