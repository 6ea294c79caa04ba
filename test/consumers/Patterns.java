import java.util.regex.Pattern;

/** Compiles each argument as a regular expression. Fails on the first that Java rejects. */
public class Patterns {
  public static void main(String[] patterns) {
    for (String pattern : patterns) Pattern.compile(pattern);
    System.out.println(patterns.length + " patterns");
  }
}
