/** Lifetime of an access token from `/api/v1/auth/login`. */
export const loginTokenSeconds = 900

/** Lifetime of an access token from the OAuth authorization server. */
export const oauthTokenSeconds = 3600

/** The longest lifetime of any access token. */
export const maxAccessTokenSeconds = Math.max(loginTokenSeconds, oauthTokenSeconds)

export const refreshTokenSeconds = 30 * 86_400

export const authorizationCodeSeconds = 60
