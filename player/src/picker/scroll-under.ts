/** Scrolls what lies under the shield, as the wheel would have done. */
export function scrollUnder(event: WheelEvent, isOurs: (element: Element) => boolean): void {
  const under = document.elementsFromPoint(event.clientX, event.clientY).find((one) => !isOurs(one))
  for (let element = under ?? null; element !== null; element = element.parentElement) {
    const { overflowY } = getComputedStyle(element)
    if (element.scrollHeight <= element.clientHeight || !/auto|scroll/.test(overflowY)) continue
    element.scrollBy({ top: event.deltaY, left: event.deltaX })
    event.preventDefault()
    return
  }
}
