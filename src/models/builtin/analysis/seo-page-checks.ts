import { charactersOf } from './counts.ts'
import type { SeoCheck, SeoSubject } from './seo.ts'

/** As wide as search results show them, counted in letters of which those of East Asia take the room of two. */
const titleWidth = { least: 30, most: 60 }
const descriptionWidth = { least: 70, most: 160 }

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu

/** Title, description and the main heading. What a piece of text leaves to the page around it is not held against it. */
export function pageChecks({ document }: SeoSubject): SeoCheck[] {
  const { title, description } = document
  const checks: SeoCheck[] = []
  if (title !== null || document.isPage) checks.push(present('title', title, 10))
  if (title !== null) checks.push(fits('title', title, titleWidth, 5))
  if (description !== null || document.isPage) checks.push(present('description', description, 5))
  if (description !== null) checks.push(fits('description', description, descriptionWidth, 5))
  const mainHeadings = document.headings.filter(({ level }) => level === 1).length
  // Where the title stands apart, the page around the text shows it as its main heading.
  const titleIsHeading = !document.isPage && title !== null && mainHeadings === 0
  if ((document.isPage || document.headings.length > 0) && !titleIsHeading) {
    checks.push({
      id: 'one_h1',
      passed: mainHeadings === 1,
      message:
        mainHeadings === 1
          ? 'There is one main heading.'
          : `There are ${mainHeadings} main headings instead of one.`,
      weight: 10,
    })
  }
  return checks
}

function present(name: 'title' | 'description', text: string | null, weight: number): SeoCheck {
  const passed = text !== null
  return {
    id: `${name}_present`,
    passed,
    message: passed ? `There is a ${name}.` : `There is no ${name}.`,
    weight,
  }
}

function fits(
  name: 'title' | 'description',
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
  weight: number,
): SeoCheck {
  const width = charactersOf(text) + (text.match(wide)?.length ?? 0)
  const passed = width >= least && width <= most
  const message = `The ${name} is ${width} letters wide; ${least} to ${most} are shown well.`
  return { id: `${name}_length`, passed, message, weight }
}
