import type { FastifyReply } from 'fastify'
import type { LinkApplication } from '../subgraphs/connections/linking/link-application.ts'
import { render } from './pages/render.ts'
import { hostOrigins, contentSecurityPolicy } from './content-security-policy.ts'
import type { LinkRefusal, LinkStep, View } from './view.ts'
import type { LinkRequestContext } from './request-context.ts'

/** Page to show, with data of the link run and its application. */
export interface PageReply {
  readonly view: View
  readonly application?: LinkApplication | null
  readonly runUrl?: string
  readonly isFramed?: boolean
  /** Steps of the link run. */
  readonly steps?: readonly LinkStep[]
  /** Origin of the page that frames the link run or opened its window. */
  readonly host?: string | undefined
  /** Origins to which a form of the page redirects. With one of them, the policy permits all https origins. */
  readonly formOrigins?: readonly string[]
  /** Defaults to 200, or the status of the refusal. */
  readonly status?: number
}

const HEADERS = { 'referrer-policy': 'same-origin' } as const

const statusOf: Readonly<Record<LinkRefusal, number>> = {
  no_key: 400,
  unknown_key: 403,
  bad_parameter: 400,
  unknown_provider: 404,
  sandbox_provider: 403,
  unknown_connection: 404,
  redirect_not_allowed: 400,
  expired: 410,
  bad_state: 400,
  not_found: 404,
  foreign_page: 403,
  too_many: 429,
  too_many_sign_ins: 410,
  our_fault: 500,
}

export function replyWithPage(
  reply: FastifyReply,
  context: LinkRequestContext,
  page: PageReply,
): FastifyReply {
  const { view, application = null, runUrl = null, formOrigins = [], host } = page
  const html = render(view, {
    language: context.language,
    applicationName: application?.name ?? null,
    basePath: context.basePath,
    run: runUrl,
    origins: hostOrigins(application, host),
    isFramed: page.isFramed ?? context.isFramed ?? false,
    steps: page.steps ?? [],
  })
  return reply
    .code(page.status ?? (view.step === 'refused' ? statusOf[view.why] : 200))
    .headers({ ...HEADERS, 'content-security-policy': contentSecurityPolicy(application, formOrigins) })
    .type('text/html; charset=utf-8')
    .send(html)
}

interface RefusalOptions {
  readonly parameter?: string | undefined
  readonly application?: LinkApplication | undefined
  /**
   * Origin of the page that frames the run or opened its window. Defaults to the origin of the referring
   * page.
   */
  readonly host?: string | undefined
  /** Defaults to the status of the reason. */
  readonly status?: number
}

/** Responds with a page that shows why the request is refused. */
export const replyWithRefusal = (
  reply: FastifyReply,
  context: LinkRequestContext,
  why: LinkRefusal,
  { parameter, application, host = context.refererOrigin ?? undefined, status }: RefusalOptions = {},
): FastifyReply =>
  replyWithPage(reply, context, {
    view: { step: 'refused', why, ...(parameter === undefined ? {} : { parameter }) },
    application: application ?? null,
    host,
    ...(status === undefined ? {} : { status }),
  })

/** Redirects a browser with 303, so that it requests the next page with GET, even after a form. */
export const redirectTo = (reply: FastifyReply, url: string): FastifyReply =>
  reply.headers(HEADERS).redirect(url, 303)
