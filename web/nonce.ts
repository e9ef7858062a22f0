import { createContext, useContext } from 'react';

/** Marks our own inline scripts while the server renders; in the browser there is none. */
export const NonceContext = createContext<string | undefined>(undefined);

export const useNonce = () => useContext(NonceContext);
