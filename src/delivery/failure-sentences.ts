import { errorCode } from '../lib/errors.ts'
import { NoConnection } from './connection.ts'

/**
 * The error of every request without a response until the URL has accepted one: attempts must not reveal open hosts and ports of others.
 */
export const UNREACHED =
  'There was no response. Check that the name resolves to public addresses, that the port is open and accepts TLS with a valid certificate, and that the receiver responds within 15 s. After a first success, attempts say what failed.'

export const noResponse = (ms: number) => `There was no response within ${ms / 1_000} s.`

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before there was a response.',
  EPIPE: 'The connection was closed before there was a response.',
  ETIMEDOUT: 'The receiver could not be reached.',
  ABORT_ERR: 'The receiver could not be reached.',
  EHOSTUNREACH: 'The receiver could not be reached.',
  ENETUNREACH: 'The receiver could not be reached.',
  EADDRNOTAVAIL: 'The receiver could not be reached.',
  EPROTO: 'The receiver did not accept TLS.',
}

/** Matches the codes of Node and OpenSSL for a certificate that is not trusted, or not for this name. */
const CERTIFICATE = /CERT|ISSUER|VERIFY|CRL|CA_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/

/**
 * Why there was no response, for the owner of a webhook. The sentences are fixed: they contain no address, and nothing about this service.
 */
export function sentenceFor(error: unknown) {
  if (error instanceof NoConnection) return error.message
  const code = errorCode(error)
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return sentence
  if (code.startsWith('ERR_SSL_')) return 'The receiver did not accept TLS.'
  if (CERTIFICATE.test(code)) return `The certificate is not valid: ${code}.`
  if (code.startsWith('HPE_')) return 'The response was not valid HTTP.'
  return 'The request failed.'
}
