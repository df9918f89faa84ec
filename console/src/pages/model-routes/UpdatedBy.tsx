import { RelativeTime } from '../../time/RelativeTime.tsx'
import { AccountName } from '../usage/AccountName.tsx'

/** The time of a change, and the account that made it. */
export function UpdatedBy({ at, account }: { at: string; account: string | null }) {
  return (
    <span>
      <RelativeTime at={at} />
      {account === null ? null : (
        <>
          {' '}
          by <AccountName id={account} />
        </>
      )}
    </span>
  )
}
