import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Problem } from '../../../api/api-failure.ts'
import { describeProblem } from '../../../parts/describe-problem.ts'
import styles from './RefusedPlaces.module.css'

interface RefusedPlacesProps {
  readonly problems: readonly Problem[]
  readonly onOpen: (path: string) => void
}

/** The problems a save was refused for, each with a link to its field. The first one has the focus. */
export function RefusedPlaces({ problems, onOpen }: RefusedPlacesProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (problems.length > 0) list.current?.querySelector('button')?.focus()
  }, [problems])
  if (problems.length === 0) return null
  return (
    <ul ref={list} className={styles['places']} aria-label="Errors">
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>
          <Button size="compact-xs" variant="default" onClick={() => onOpen(problem.path)}>
            {problem.path === '' ? 'The workflow' : problem.path}
          </Button>
          <span>{describeProblem(problem)}</span>
        </li>
      ))}
    </ul>
  )
}
