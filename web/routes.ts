import { type RouteConfig, route } from '@react-router/dev/routes';

export default [route('*', 'pages/unknown.tsx')] satisfies RouteConfig;
