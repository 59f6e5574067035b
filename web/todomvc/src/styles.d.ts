/** Styles are bundled by what builds the page; they say nothing to a program. */
declare module '*.css';
