import { defaultStringifySearch, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

interface AddressLinkProps {
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
  readonly children: ReactNode
}

/** A link with search parameters that the page behind it reads for itself. */
export function AddressLink({ path, search, children }: AddressLinkProps) {
  const { history } = useRouter()
  const address = search === undefined ? path : `${path}${defaultStringifySearch(search)}`
  const follow = (click: MouseEvent) => {
    // A table opens the row that is clicked, which would be another page.
    click.stopPropagation()
    if (click.button !== 0 || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return
    click.preventDefault()
    history.push(address)
  }
  return (
    <a href={address} onClick={follow}>
      {children}
    </a>
  )
}
