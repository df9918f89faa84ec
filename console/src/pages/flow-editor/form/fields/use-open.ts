import { useState } from 'react'
import { useForm } from '../form-subject.ts'
import { isWithin } from '../schema/path-text.ts'

/**
 * Whether a foldable group is open. It opens when a path inside is requested or gets a problem. A group is the value of
 * one path, or a list of fields by their paths.
 */
export function useOpen(
  group: string | readonly string[],
  isOpenAtFirst: boolean,
): readonly [isOpen: boolean, setIsOpen: (isOpen: boolean) => void] {
  const { asked, problems } = useForm()
  const isInside = (path: string) =>
    typeof group === 'string' ? isWithin(path, group) : group.some((place) => isWithin(path, place))
  const isAsked = asked !== null && isInside(asked.path) && asked.path !== group
  const request = isAsked ? asked.count : 0
  const problemCount = [...problems.keys()].filter(isInside).length
  const [seen, setSeen] = useState({ request: 0, problemCount: 0 })
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  if (seen.request !== request || seen.problemCount !== problemCount) {
    setSeen({ request, problemCount })
    if ((request !== 0 && request !== seen.request) || problemCount > seen.problemCount) setIsOpen(true)
  }
  return [isOpen, setIsOpen]
}
