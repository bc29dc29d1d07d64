import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signIn, type SignInInput } from '../api/session.ts'

/** Signs a person in, with the code in the fragment of the address or with a secret key. */
export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const hasTriedCode = useRef(false)

  async function submit(input: SignInInput): Promise<void> {
    setIsBusy(true)
    const refusal = await signIn(input).catch(
      (error: unknown) => `The service cannot be reached. ${error instanceof Error ? error.message : ''}`,
    )
    setIsBusy(false)
    setProblem(refusal)
    if (refusal === null) await navigate({ href: next, replace: true })
  }

  useEffect(() => {
    const code = location.hash.slice(1)
    if (code === '' || hasTriedCode.current) return
    hasTriedCode.current = true
    // The address no longer has the code, so it is in no bookmark and in no history.
    history.replaceState(null, '', location.pathname + location.search)
    void submit({ code })
  })

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
