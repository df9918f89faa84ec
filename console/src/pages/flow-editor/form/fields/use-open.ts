import { useState } from 'react'
import { useForm } from '../form-subject.ts'
import { isWithin } from '../schema/path-text.ts'

/** Whether a foldable group is open. It opens when a path inside is requested or gets a problem. */
export function useOpen(
  place: string,
  isOpenAtFirst: boolean,
): readonly [isOpen: boolean, setIsOpen: (isOpen: boolean) => void] {
  const { asked, problems } = useForm()
  const isAsked = asked !== null && isWithin(asked.path, place) && asked.path !== place
  const request = isAsked ? asked.count : 0
  const problemCount = [...problems.keys()].filter((it) => isWithin(it, place)).length
  const [seen, setSeen] = useState({ request: 0, problemCount: 0 })
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  if (seen.request !== request || seen.problemCount !== problemCount) {
    setSeen({ request, problemCount })
    if ((request !== 0 && request !== seen.request) || problemCount > seen.problemCount) setIsOpen(true)
  }
  return [isOpen, setIsOpen]
}
