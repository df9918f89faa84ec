/** What a person points at when they point at something inside it. */
const wholes =
  'a[href], button, input, select, textarea, summary, option, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=switch]'

/** What Tab stops at while picking: things people use, read or named. */
const stops = `${wholes}, [data-tour], [data-testid], [id], h1, h2, h3, h4, img, table, form, nav, main, section, article, aside, label, th`

/** The element that is meant by a point on the screen, below what the player itself shows. */
export function elementAt(x: number, y: number, isOurs: (element: Element) => boolean): Element | undefined {
  const element = document.elementsFromPoint(x, y).find((one) => !isOurs(one))
  if (element === undefined || element === document.documentElement) return undefined
  const drawing = element.closest('svg')
  return element.closest(wholes) ?? drawing ?? element
}

/** Every element Tab goes to, in the order of the page. */
function stopsOf(isOurs: (element: Element) => boolean): readonly Element[] {
  return [...document.body.querySelectorAll(stops)].filter((one) => !isOurs(one) && isSeen(one))
}

/** The element a key leads to from another; the same one where there is no way. */
export function step(
  key: string,
  from: Element | undefined,
  isOurs: (element: Element) => boolean,
): Element | undefined {
  const all = stopsOf(isOurs)
  if (from === undefined) return all[0]
  switch (key) {
    case 'Tab':
      return all.find((one) => isAfter(one, from)) ?? all[0]
    case 'Shift+Tab':
      return all.findLast((one) => isAfter(from, one)) ?? all.at(-1)
    case 'ArrowUp':
      return from.parentElement === document.documentElement ? from : (from.parentElement ?? from)
    case 'ArrowDown':
      return [...from.children].find(isSeen) ?? from
    case 'ArrowRight':
      return siblings(from).find((one) => isAfter(one, from)) ?? from
    case 'ArrowLeft':
      return siblings(from).findLast((one) => isAfter(from, one)) ?? from
    default:
      return from
  }

  function siblings(element: Element): Element[] {
    return [...(element.parentElement?.children ?? [])].filter((one) => isSeen(one) && !isOurs(one))
  }
}

function isAfter(one: Element, other: Element): boolean {
  return (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
}
