import { createContext, useContext } from 'react';

/** The nonce of our inline scripts during server rendering; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

export const useNonce = () => useContext(NonceContext);
