import { type ReactNode, useState } from 'react';
import { Provider } from 'react-redux';
import { type SessionState, sessionStore, signedOut } from './session.ts';

const onServer: SessionState = { auth: signedOut };

export function SessionProvider({ children }: { children: ReactNode }) {
  const [store] = useState(sessionStore);
  return (
    <Provider store={store} serverState={onServer}>
      {children}
    </Provider>
  );
}
