import { splitSelector } from '../../player/selector-path.ts'

/**
 * The selector of a step on a Drupal site, which looks for elements in the page alone: for an element inside a shadow root
 * or a frame, the selector of what contains it.
 */
export function toSiteSelector(selector: string): string {
  return splitSelector(selector)[0] ?? selector
}
