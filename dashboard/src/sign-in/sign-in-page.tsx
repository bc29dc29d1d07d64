import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { isSignedIn, signIn, type SignInInput } from '../api/session.ts'

/** Signs a person in, with the code in the fragment of the address or with a secret key. */
export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [codeToConfirm, setCodeToConfirm] = useState<string | null>(null)

  async function submit(input: SignInInput): Promise<void> {
    setCodeToConfirm(null)
    setIsBusy(true)
    const refusal = await signIn(input).catch(
      (error: unknown) => `The service cannot be reached. ${error instanceof Error ? error.message : ''}`,
    )
    setIsBusy(false)
    setProblem(refusal)
    if (refusal === null) await navigate({ href: next, replace: true })
  }

  useEffect(() => {
    const useCode = async () => {
      const code = location.hash.slice(1)
      if (code === '') return
      // The address no longer has the code, so it is in no bookmark and in no history.
      history.replaceState(null, '', location.pathname + location.search)
      // A link of another person must not replace the session without a question. If the service cannot be reached,
      // the sign-in says so.
      if (await isSignedIn().catch(() => false)) setCodeToConfirm(code)
      else await submit({ code })
    }
    void useCode()
    addEventListener('hashchange', useCode)
    return () => removeEventListener('hashchange', useCode)
    // A link is read when the page opens, and when another one is opened in the same tab.
  }, [])

  function submitKey(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const secretKey = String(new FormData(event.currentTarget).get('secretKey') ?? '').trim()
    if (secretKey === '') setProblem('Enter a secret key.')
    else void submit({ secretKey })
  }

  return (
    <main className="sign-in">
      <h1>Odograph</h1>
      <p>Sign in to see the vehicles on a map.</p>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {codeToConfirm !== null && (
        <div className="confirm" role="alert">
          <p>You are signed in already. The link opens another session, which may show another company.</p>
          <button type="button" onClick={() => void submit({ code: codeToConfirm })}>
            Use the link
          </button>{' '}
          <button type="button" onClick={() => void navigate({ href: next, replace: true })}>
            Stay signed in
          </button>
        </div>
      )}
      <form onSubmit={submitKey}>
        <label htmlFor="secret-key">Secret key</label>
        <input
          id="secret-key"
          name="secretKey"
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="sk_…"
          aria-describedby="secret-key-note"
        />
        <p id="secret-key-note">The page sends the key once and does not keep it.</p>
        <button type="submit" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      <p>
        No key? The operator of the service prints a sign-in link with{' '}
        <code>odograph dashboard link --application app_…</code>
      </p>
    </main>
  )
}
