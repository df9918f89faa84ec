import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import type { Api } from '../api/api.ts'
import { useApi } from '../api/api-context.ts'
import { ApiFailure, type Problem } from '../api/api-failure.ts'
import { describeProblem, isAbout } from './describe-problem.ts'

interface SubmissionOptions<Answer> {
  /** The fields of the form, by their names in the request. */
  readonly fields: readonly string[]
  /** Sends the form with the given API, which may only record the request for a curl command. */
  readonly send: (api: Api) => Promise<Answer>
  /** Runs after the platform has accepted the request; the form waits for it. */
  readonly onDone: (answer: Answer) => Promise<void> | void
}

/** The submission state of a form. */
export interface Submission {
  readonly form: RefObject<HTMLFormElement | null>
  readonly isPending: boolean
  /** The failure that belongs to no field; fields show their own problems. */
  readonly failure: Error | null
  readonly submit: () => void
  /** Sends the form with another API. */
  readonly send: (api: Api) => Promise<unknown>
  readonly onSubmit: (event: FormEvent) => void
  readonly problemOf: (field: string, describe?: (problem: Problem) => string) => string | undefined
}

/** Submits a form. Only the platform validates; each of its problems is shown at the field it belongs to. */
export function useSubmission<Answer>({ fields, send, onDone }: SubmissionOptions<Answer>): Submission {
  const form = useRef<HTMLFormElement>(null)
  const api = useApi()
  const { mutate, error, isPending } = useMutation({ mutationFn: () => send(api), onSuccess: onDone })
  const problems = error instanceof ApiFailure ? error.problems : []
  const isTold = problems.length > 0 && problems.every((it) => fields.some((field) => isAbout(it, field)))

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])

  const submit = () => {
    if (!isPending) mutate()
  }
  return {
    form,
    isPending,
    failure: isTold ? null : error,
    submit,
    send,
    onSubmit: (event) => {
      event.preventDefault()
      submit()
    },
    problemOf: (field, describe = describeProblem) => {
      const problem = problems.find((it) => isAbout(it, field))
      return problem === undefined ? undefined : describe(problem)
    },
  }
}
