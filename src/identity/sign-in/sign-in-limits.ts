import { createHash } from 'node:crypto'
import type { Database } from '#kernel/database'
import { type Failure, kernelFailure } from '#kernel/errors'
import { rateLimitAddress } from '#kernel/limits'
import { usernameKey } from '../users/user-rules.ts'

/** An attempt within the limits. It counts as failed unless `takeBack` is called. */
interface SignInAttempt {
  /** The error for a wrong password when the limit of the username is exceeded. */
  readonly refusal: Failure | undefined
  takeBack(): Promise<void>
}

export interface SignInLimits {
  /** Counts an attempt before the password is hashed; throws `too_many_requests` beyond the limits. */
  begin(from: { readonly username: string; readonly ip: string }): Promise<SignInAttempt>
  removeExpired(): Promise<number>
}

interface Rule {
  readonly limit: number
  readonly windowSeconds: number
}

const perAddress: Rule = { limit: 10, windowSeconds: 60 }
const perUsername: Rule = { limit: 10, windowSeconds: 60 }

/** Attempts that an address keeps for a username whose limit others have exceeded. The window is the longest pause. */
const perPair: Rule = { limit: 3, windowSeconds: 900 }

/**
 * The states of one counter:
 *
 * | state | on | next |
 * |---|---|---|
 * | counting | an attempt within the limit | counting, one more |
 * | counting | an attempt beyond the limit | paused: 1 minute, and twice as long each further time, at most 15 |
 * | counting | its window ends | counting from 0 |
 * | paused | an attempt | paused; the pause is not extended |
 * | paused | the pause ends | counting from 0; the next pause is longer |
 * | any | an hour without an attempt | deleted |
 *
 * One statement counts an attempt, so that a burst over many connections and replicas is counted in full.
 */
const countStatement = `
  insert into identity_sign_in_limits as known (key, attempts, ends_at, forget_at)
  values ($1, 1, now() + $3 * interval '1 second', now() + interval '1 hour')
  on conflict (key) do update set
    attempts = case when known.ends_at <= now() then 1 else least(known.attempts, $2) + 1 end,
    ends_at = case
      when known.ends_at <= now() then now() + $3 * interval '1 second'
      when known.attempts = $2 then
        now() + greatest($3, least(60 * 2 ^ known.strikes, 900)) * interval '1 second'
      else known.ends_at
    end,
    strikes = case
      when known.forget_at <= now() then 0
      when known.ends_at > now() and known.attempts = $2 then least(known.strikes + 1, 10)
      else known.strikes
    end,
    forget_at = now() + interval '1 hour'
  returning attempts > $2 as exceeded, extract(epoch from ends_at - now())::float8 as seconds_left
`

const takeBackStatement = `
  update identity_sign_in_limits set attempts = attempts - 1
  where key = $1 and attempts between 1 and $2 and ends_at > now()
`

export function createSignInLimits(database: Database): SignInLimits {
  async function count(key: Buffer, rule: Rule): Promise<Failure | undefined> {
    const [row] = await database.query<{ exceeded: boolean; seconds_left: number }>(countStatement, [
      key,
      rule.limit,
      rule.windowSeconds,
    ])
    return row?.exceeded ? tooManyAttempts(row.seconds_left) : undefined
  }

  return {
    async begin({ username, ip }) {
      const address = rateLimitAddress(ip)
      const name = usernameKey(username)
      const counted = [
        { key: keyOf('address', address), rule: perAddress },
        { key: keyOf('username', name), rule: perUsername },
        { key: keyOf('pair', address, name), rule: perPair },
      ] as const
      const [byAddress, byName, byPair] = counted

      const addressRefusal = await count(byAddress.key, byAddress.rule)
      if (addressRefusal !== undefined) throw addressRefusal
      const refusal = await count(byName.key, byName.rule)
      const pairRefusal = await count(byPair.key, byPair.rule)
      if (refusal !== undefined && pairRefusal !== undefined) throw refusal
      return {
        refusal,
        async takeBack() {
          for (const { key, rule } of counted) await database.query(takeBackStatement, [key, rule.limit])
        },
      }
    },

    async removeExpired() {
      const [row] = await database.query<{ count: number }>(`
        with forgotten as (delete from identity_sign_in_limits where forget_at <= now() returning key)
        select count(*) as count from forgotten
      `)
      return row?.count ?? 0
    },
  }
}

function tooManyAttempts(secondsLeft: number): Failure {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  return kernelFailure('too_many_requests', {
    message: `Too many sign-in attempts. Try again in ${describeWait(seconds)}.`,
    retryAfterSeconds: seconds,
  })
}

function describeWait(seconds: number): string {
  if (seconds < 60) return `${seconds} second${seconds === 1 ? '' : 's'}`
  const minutes = Math.ceil(seconds / 60)
  return `${minutes} minute${minutes === 1 ? '' : 's'}`
}

/** Hashed, because users type passwords into the username field by mistake. */
function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
